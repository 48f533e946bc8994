-- The task whose output an object is, so that a link to it can be read back. Null for every other object, and for the
-- outputs of earlier releases: their links are fetched like any other.
alter table media_objects add column task_id uuid;
grant update (task_id) on media_objects to zoetrope_service;
