/** The configuration of Patroni and HAProxy that `docs/postgres-failover.md` shows. */

/**
 * Patroni's times in seconds. `loopWait + 2 * retryTimeout` may not exceed `ttl`; Patroni takes no
 * ttl below 20.
 */
const patroniTimes = { ttl: 20, loopWait: 5, retryTimeout: 5 };

export interface MemberAddress {
  readonly name: string;
  /** Owned by the user that PostgreSQL runs as; holds `data`, the socket and Patroni's own files. */
  readonly dir: string;
  readonly binDir: string;
  readonly port: number;
  readonly restPort: number;
  readonly etcdPort: number;
}

/**
 * Returns Patroni's configuration. There are no passwords: everything is on loopback. It uses
 * etcd's API of version 2, in which the leader renews its lease only if it is still its own: with
 * `etcd3`, Patroni 3.0.2 takes it back from another.
 */
export function patroniYaml(
  address: MemberAddress,
  settings: Readonly<Record<string, string | number>>,
): string {
  const { name, dir, binDir, port, restPort, etcdPort } = address;
  const parameters = Object.entries(settings).map(
    ([setting, value]) => `        ${setting}: ${JSON.stringify(String(value))}\n`,
  );
  return `scope: zoetrope
name: ${name}
restapi:
  listen: 127.0.0.1:${restPort}
  connect_address: 127.0.0.1:${restPort}
etcd:
  hosts: 127.0.0.1:${etcdPort}
bootstrap:
  dcs:
    ttl: ${patroniTimes.ttl}
    loop_wait: ${patroniTimes.loopWait}
    retry_timeout: ${patroniTimes.retryTimeout}
    maximum_lag_on_failover: 1048576
    primary_start_timeout: 0
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        synchronous_commit: "on"
        wal_log_hints: "on"
        wal_keep_size: 256MB
${parameters.join("")}  initdb:
    - encoding: UTF8
    - locale: C
    - no-sync
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${dir}/data
  bin_dir: ${binDir}
  pgpass: ${dir}/pgpass
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
  authentication:
    superuser:
      username: postgres
    replication:
      username: replicator
  parameters:
    unix_socket_directories: ${dir}
  pg_hba:
    - local all all trust
    - host all all 127.0.0.1/32 trust
    - host replication replicator 127.0.0.1/32 trust
watchdog:
  mode: "off"
`;
}

/**
 * Returns HAProxy's configuration, which leads to the server that responds to Patroni's `/primary`
 * with 200, and nowhere while none does.
 */
export function haproxyConfig(port: number, members: readonly MemberAddress[]): string {
  const servers = members.map(
    (member) =>
      `    server ${member.name} 127.0.0.1:${member.port} check port ${member.restPort}\n`,
  );
  return `global
    maxconn 2000

defaults
    mode tcp
    timeout connect 4s
    timeout client 30m
    timeout server 30m
    timeout check 2s

listen postgres
    bind 127.0.0.1:${port}
    option tcpka
    option httpchk
    http-check send meth OPTIONS uri /primary
    http-check expect status 200
    default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${servers.join("")}`;
}
