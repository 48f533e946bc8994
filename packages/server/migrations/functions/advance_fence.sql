-- Counts the position up by one, at most once in p_every_ms however many workers call. A database whose position is
-- behind p_known is older than what this worker has seen: it says so from then on, and never catches up by itself.
create or replace function advance_fence(
  p_known bigint, p_every_ms float8,
  out "position" bigint, out advanced_at timestamptz, out is_behind boolean, out has_advanced boolean
) language plpgsql as $$
begin
  select f.position, f.advanced_at, f.behind_since is not null or f.position < p_known
    into "position", advanced_at, is_behind
    from fence f where f.is_only for update;
  has_advanced := not is_behind and advanced_at <= now() - p_every_ms * interval '1 millisecond';
  if is_behind then
    update fence f set behind_since = now() where f.is_only and f.behind_since is null;
  elsif has_advanced then
    update fence f set position = f.position + 1, advanced_at = now()
      where f.is_only
      returning f.position, f.advanced_at into "position", advanced_at;
  end if;
end
$$;
