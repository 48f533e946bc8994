-- When the password was last set by a link that was mailed or printed: nobody guessed it since. Null: not, or before it
-- was noted.
alter table people add column password_linked_at timestamptz;
