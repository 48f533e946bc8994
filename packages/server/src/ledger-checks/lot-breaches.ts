/**
 * The condition for accounts that live in this shard. Rows of others are copies of a move, and are verified
 * there.
 */
export const isHere = "account_id not in (select id from accounts where moved_to is not null)";

/** The first lot of each account: transfers up to its number may be from before there were lots. */
const first = `(select account_id, min(number) as number from lots where ${isHere} group by account_id)`;
const change =
  "case when t.kind in ('grant', 'adjust') then t.amount when t.kind in ('capture', 'expiry') then -t.amount else 0 end";

/** The invariants of lots, each as a query for the rows that break it. */
export const lotBreaches: Readonly<Record<string, string>> = {
  "I7: the credits left in the lots of an account are its credits": `
    select a.id as account_id, a.credits, l.credits_left
    from accounts a join (select account_id, sum(credits_left) as credits_left from lots group by account_id) l
      on l.account_id = a.id
    where a.moved_to is null and a.credits <> l.credits_left`,
  "I7: every transfer that raises credits is a lot, and every one that lowers them is taken out of lots": `
    select coalesce(t.account_id, u.account_id) as account_id, t.number, coalesce(t.cause_id, u.cause_id) as cause_id,
           coalesce(t.kind, u.kind) as kind, t.change, l.credits as lot_credits, u.credits as used_credits
    from (
      select t.account_id, t.number, t.cause_id, t.kind, t.id, ${change} as change, t.number > f.number as is_since
      from transfers t join ${first} f using (account_id)) t
    full join (
      select account_id, cause_id, kind, sum(credits) as credits from lot_uses where ${isHere}
      group by account_id, cause_id, kind) u
      on u.account_id = t.account_id and u.cause_id = t.cause_id and u.kind = t.kind
    left join lots l on l.id = t.id
    where case when t.is_since
      then (coalesce(l.credits, 0), coalesce(u.credits, 0)) <> (greatest(t.change, 0), greatest(-t.change, 0))
      else u.credits is not null or l.credits <> t.change end`,
  "I7: every lot is a transfer, or the balance of an account from before there were lots": `
    select l.id as lot_id, l.account_id, l.number, l.source, l.credits, t.kind, t.amount, t.credits_after
    from lots l join ${first} f using (account_id)
    left join transfers t on t.account_id = l.account_id and t.number = l.number
    where (t.id = l.id or (l.number = f.number and l.credits = t.credits_after)) is not true`,
  "I7: a lot lacks what was taken out of it, never more than it had, and gave that part of its net": `
    select l.id as lot_id, u.lot_id as used_lot_id, l.account_id, l.credits, l.credits_left, l.net_minor,
           u.credits as used_credits, u.net_minor as used_net_minor
    from (select id, account_id, credits, credits_left, net_minor from lots where ${isHere}) l
    full join (
      select account_id, lot_id, sum(credits) as credits, sum(net_minor) as net_minor from lot_uses where ${isHere}
      group by account_id, lot_id) u on u.lot_id = l.id and u.account_id = l.account_id
    where l.id is null or l.credits_left < 0 or l.credits - l.credits_left <> coalesce(u.credits, 0)
      or coalesce(u.net_minor, 0) <> div(l.net_minor::numeric * (l.credits - l.credits_left), l.credits)`,
};
