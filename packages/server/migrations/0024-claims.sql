-- Whose claim a submit is: a worker that lost the database's answer to its claim gives back its own and no other.
alter table open_tasks add column claim_id uuid;
