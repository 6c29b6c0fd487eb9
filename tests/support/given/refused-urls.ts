/** Returns one URL for each host of a list that is separated by white space. */
export const hosts = (names: string): string[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `http://${name}/hook`)

/** Addresses that no endpoint and no token endpoint may have, in the notations of a hostile client. */
export const REFUSED_URLS: Readonly<Record<string, readonly string[]>> = {
  'every spelling of loopback': hosts(`
    127.0.0.1 127.1 127.0.1 127.254.254.254 2130706433 0x7f000001 0x7f.1 0x7f.0x0.0x0.0x1 0177.0.0.1 0177.1
    00000177.1 017700000001 127.0.0.1. 127。0。0。1 ①②⑦.⓪.⓪.① %31%32%37.0.0.1 0 0.0.0.0 0.1.2.3
    [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1]
    [64:ff9b::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] localhost LOCALHOST. foo.localhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ
    loca\u200blhost ip6-localhost`),
  'cloud metadata': hosts(`
    169.254.169.254 2852039166 0xa9fea9fe [::ffff:169.254.169.254] [64:ff9b::a9fe:a9fe] [fd00:ec2::254]
    169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16 metadata.google.internal`),
  'one address of every special range': hosts(`
    0.255.255.255 10.1.2.3 100.64.0.1 172.16.0.1 172.31.255.255 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
    198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
    [::7f00:1] [64:ff9b:1::1] [100::1] [100:0:0:1::1] [2001:2::1] [2001:10::1] [2001:db8::1] [2002::1] [3fff::1]
    [4000::1] [5f00::1] [f000::1] [fc00::1] [fd12:3456:789a::1] [fe80::1] [fec0::1] [ff02::1]`),
  'private names': hosts(`
    0300.0250.0.1 host.docker.internal kubernetes.default.svc kubernetes.default.svc.cluster.local printer.local
    nas.lan router.home.arpa intranet wiki.corp a.invalid abc.onion redis`),
  'ports of services that a webhook never means': hosts(
    `1 22 25 445 1080 1433 1521 1883 2049 2181 2375 2376 2379 2380 3128 3306 3389 4222 4646 5060 5432 5601 5671 5672
    5900 5901 5984 5985 5999 6000 6379 6380 6443 6667 7687 8200 8300 8500 8501 8600 9042 9092 9100 9200 9300 10080
    10250 10255 11211 15672 16379 26379 27017 27018`.replaceAll(/\d+/g, 'crm.example.com:$&'),
  ),
  'syntax that readers disagree about': [
    'http://user:pw@127.0.0.1/',
    'http://good@127.0.0.1/',
    'http://user:pw@crm.example.com/',
    'http://@crm.example.com/',
    'http://127.0.0.1#@good.example.com',
    'https://crm.example.com/hook#part',
    'https://crm.example.com/hook#',
    'http://127.0.0.1\\@good.example.com',
    'http://good.example.com\\@127.0.0.1',
    'http:127.0.0.1',
    'http:crm.example.com/hook',
    'http:/127.0.0.1/',
    'http:///127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    ' http://127.0.0.1/',
    ' https://crm.example.com/',
    'https://crm.example.com/ ',
    'https://crm.exa\tmple.com/',
    'https://crm.exa\nmple.com/',
    'https://crm.example.com/a b',
    'https://crm.example.com/\u0000',
    '//127.0.0.1/',
    '//crm.example.com/hook',
    'crm.example.com/hook',
    '/hook',
    '',
    'https://',
    'https:///',
    'https://crm.example.com:0/',
    'https://crm.example.com:99999/',
    'https://crm.example.com:80:80/',
    'https://crm.example.com:x/',
    'https://crm.example.com:25/',
    'https://crm.example.com:22/',
    'https://crm.example.com:6379/',
    'https://crm.example.com:5432/',
    'http://[fe80::1%25eth0]/',
    'http://[::1',
    'http://crm.example.com%00/',
    'http://127.0.0.1%00.example.com/',
    'http://127.0.0.1%2f.example.com/',
    'https://.x/',
    'https://a..b/',
    'https://crm.example.com../',
    'https://xn--/',
    'https://1.2.3.4.5/',
    'https://256.1.1.1/',
    `https://${'a'.repeat(64)}.example.com/`,
    `https://${'a.'.repeat(130)}example.com/`,
  ],
  'other schemes': [
    'ftp://crm.example.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'unix:/var/run/docker.sock',
    'http://unix:/var/run/docker.sock:/containers',
    'data:text/plain,hello',
    'blob:https://crm.example.com/1',
    'ws://crm.example.com/',
    'wss://crm.example.com/',
    'javascript:alert(1)',
    'httpx://crm.example.com/',
    'mailto:a@example.com',
  ],
}
