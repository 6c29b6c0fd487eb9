import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:tls'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import { createTestAuthority } from '../certificate.ts'
import { REPOSITORY } from '../../lab/spawn-script.ts'
import { freePort } from '../../services/free-port.ts'
import { startGuarded } from '../../services/guarded-process.ts'
import { runCommand } from '../../services/run-command.ts'
import { waitUntil } from '../../lab/wait-until.ts'

export type FrontProgram = 'nginx' | 'caddy'

/** The real program in front of servers, with the file that deploy/ has for it. */
export interface Front {
  name: FrontProgram
  /** `https://localhost:…`, with a certificate of the private authority */
  url: string
  /** `http://localhost:…`, where it only leads to the other */
  plainUrl: string
  /** what it has logged, of requests and of failures */
  readLog: () => Promise<string>
  stop: () => Promise<void>
}

/** A private certificate authority, and a certificate of it for `localhost`. */
export interface Authority {
  folder: string
  /** its own certificate, as PEM */
  root: string
  remove: () => Promise<void>
}

export async function hasProgram(program: FrontProgram): Promise<boolean> {
  return (await runCommand(program, [program === 'nginx' ? '-v' : 'version'])).code === 0
}

export async function createAuthority(): Promise<Authority> {
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-authority-'))
  const authority = createTestAuthority('Leadwire test authority')
  const { cert, key } = authority.issue(['localhost'])
  await writeFile(path.join(folder, 'site.crt'), cert)
  await writeFile(path.join(folder, 'site.key'), key)
  return {
    folder,
    root: authority.cert,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const TRIES = 3

/** @param servers `host:port` of each */
export async function startFront(
  name: FrontProgram,
  given: { servers: readonly string[]; authority: Authority },
): Promise<Front> {
  for (let tried = 1; ; tried += 1)
    try {
      return await tryFront(name, given)
    } catch (error) {
      // Another process may have taken a port meanwhile.
      if (tried === TRIES) throw error
    }
}

async function tryFront(
  name: FrontProgram,
  { servers, authority }: { servers: readonly string[]; authority: Authority },
): Promise<Front> {
  const folder = await mkdtemp(path.join(tmpdir(), `leadwire-${name}-`))
  const [plainPort, port] = [await freePort(), await freePort()]
  const prepare = name === 'nginx' ? prepareNginx : prepareCaddy
  const order = await prepare({ folder, servers, authority, plainPort, port })
  const logFile = path.join(folder, 'output.log')
  const program = startGuarded({ command: name, cwd: folder, logFile, stopSignal: 'SIGTERM', ...order })
  const stop = async (): Promise<void> => {
    await program.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitUntil(() => program.hasExited() || answers(port, authority), { what: name })
    if (program.hasExited()) throw new Error(`${name} ended: ${program.lastWords()}`)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    name,
    url: `https://localhost:${port}`,
    plainUrl: `http://localhost:${plainPort}`,
    readLog: async () => {
      const files = name === 'nginx' ? [path.join(folder, 'access.log'), path.join(folder, 'error.log')] : []
      return (await Promise.all([logFile, ...files].map((file) => readFile(file, 'utf8')))).join('')
    },
    stop,
  }
}

interface Place {
  folder: string
  servers: readonly string[]
  authority: Authority
  plainPort: number
  port: number
}

/** The file as it is, with the values that its reader changes. */
async function prepareNginx({ folder, servers, authority, plainPort, port }: Place) {
  let text = await readFile(path.join(REPOSITORY, 'deploy/nginx/leadwire.conf'), 'utf8')
  const change = (from: string, to: string): void => {
    if (!text.includes(from)) throw new Error(`leadwire.conf has no ${from}`)
    text = text.replaceAll(from, to)
  }
  for (const [index, server] of servers.entries()) change(`127.0.0.1:300${index + 1}`, server)
  change('leads.example.com', 'localhost')
  change('/etc/leadwire/', `${authority.folder}/`)
  change('/var/log/nginx/leadwire.log', path.join(folder, 'access.log'))
  change('/var/log/nginx/leadwire-error.log', path.join(folder, 'error.log'))
  change('/var/www/html', authority.folder)
  for (const [from, to] of [
    ['80;', `${plainPort};`],
    ['443 ssl http2;', `${port} ssl http2;`],
  ] as const) {
    change(`listen ${from}`, `listen 127.0.0.1:${to}`)
    change(`listen [::]:${from}`, hasIpv6() ? `listen [::1]:${to}` : '')
  }
  await writeFile(path.join(folder, 'leadwire.conf'), text)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  await writeFile(
    path.join(folder, 'nginx.conf'),
    [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      'daemon off;',
      'worker_processes 1;',
      `pid ${folder}/nginx.pid;`,
      'error_log stderr;',
      'events { worker_connections 1024; }',
      `http { ${temporary.join(' ')} include ${folder}/leadwire.conf; }`,
    ].join('\n'),
  )
  return { args: ['-p', folder, '-c', path.join(folder, 'nginx.conf')] }
}

/** A machine without IPv6 refuses its addresses. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
}

async function prepareCaddy({ folder, servers, authority, plainPort, port }: Place) {
  const file = path.join(REPOSITORY, 'deploy/caddy/Caddyfile')
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    SITE: `https://localhost:${port}`,
    SERVERS: servers.join(' '),
    TLS: 'files',
    CERTIFICATES: authority.folder,
    HTTP_PORT: String(plainPort),
    HTTPS_PORT: String(port),
    // Several may run at once.
    ADMIN: `127.0.0.1:${await freePort()}`,
  }
  return { args: ['run', '--config', file, '--adapter', 'caddyfile'], env }
}

/** Whether it shows the authority's certificate. */
function answers(port: number, { root }: Authority): Promise<boolean> {
  return new Promise((resolve) => {
    const line = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: root })
    line.once('secureConnect', () => resolve(true))
    line.once('error', () => resolve(false))
    line.once('secureConnect', () => line.destroy())
  })
}
