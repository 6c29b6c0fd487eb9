/** Every port of a list of ports and ranges, `5900-5999`. */
function expand(list: string): number[] {
  return list
    .trim()
    .split(/\s+/)
    .flatMap((item) => {
      const [first = 0, last = first] = item.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })
}

/**
 * Ports of services that a webhook never means, above the reserved range (of which only 80 and 443 are allowed). Left
 * out on purpose, because CRMs and web servers use them as well: 3000, 5000, 7001, 8000, 8080–8090, 8123, 8443, 8888,
 * 9000, 9090, 9443, 10000. Also left out is everything from 32768 on, from which a machine takes its own ports.
 */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  // Ports that browsers refuse (WHATWG Fetch §2.9 'Port blocking'): telephony, file systems, X11, mail and chat.
  ...expand('1719-1720 1723 2049 3659 4045 4190 5060-5061 6000 6566 6665-6669 6679 6697 10080'),
  // Databases: SQL Server, Oracle, Firebird, MySQL, PostgreSQL and its poolers, CouchDB, Cassandra, ArangoDB, MongoDB, …
  ...expand(
    '1433-1434 1521 2483-2484 3050 3306 5432-5433 5439 5984 6432 7474 7687 8529 9042 9160 27017-27019 28015',
  ),
  // Caches and search: Redis, its cluster and sentinels, memcached, Kibana, Elasticsearch.
  ...expand('5601 6379-6380 9200 9300 11211 16379 26379'),
  // Brokers: MQTT, ZooKeeper, NATS, Erlang's mapper, AMQP and RabbitMQ's console, Kafka.
  ...expand('1883 2181 4222 4369 5671-5672 8883 9092-9094 15672 25672'),
  // Orchestration and its secrets: Docker, etcd, Nomad, Kubernetes, Vault, Consul.
  ...expand('2375-2377 2379-2380 4646-4648 6443 8200-8201 8300-8302 8500-8503 8600 10248-10250 10255-10259'),
  // Remote desktops and consoles: RDP, VNC with each of its displays, WinRM, TeamViewer.
  ...expand('3389 5900-5999'),
  // Proxies, directories, storage, printers and other services that obey any caller.
  ...expand('1080 1099 3128 3260 3268-3269 3690 5222 5269 8009 9100 9418'),
])

/** The reason why a port cannot be a webhook's, in words for the client; undefined if it can. */
export function refusePort(port: number): string | undefined {
  if (port !== 0 && (port >= 1024 || port === 80 || port === 443) && !REFUSED_PORTS.has(port))
    return undefined
  return `Port ${port} cannot be used for webhooks. Use 443, 80 or a port of your web server from 1024 upwards.`
}
