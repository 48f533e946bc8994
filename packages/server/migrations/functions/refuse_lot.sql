-- Refuses a lot that cannot be: the condition is that of the trigger.
create or replace function refuse_lot() returns trigger language plpgsql as $$
begin
  raise exception 'a lot cannot be % credits from %, with % % paid', new.credits, new.source, new.net_minor, new.currency
    using errcode = 'check_violation';
end
$$;
