-- Where the chain of invitations to the staff begins that leads to somebody: two people of one chain do not approve for
-- each other. Null: with who invited the person, or with the person itself if a command did.
alter table staff add column first_inviter uuid;
with recursive chain (person_id, inviter) as (
  select person_id, invited_by from staff where invited_by is not null
  union
  select c.person_id, i.invited_by from chain c join staff i on i.person_id = c.inviter where i.invited_by is not null
)
update staff s set first_inviter = c.inviter from chain c
where c.person_id = s.person_id
  and not exists (select from staff i where i.person_id = c.inviter and i.invited_by is not null);
