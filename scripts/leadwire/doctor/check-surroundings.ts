import { existsSync } from 'node:fs'
import type { Config } from '#core/config/config.ts'
import { askServiceForAnswer } from '#core/http/ask-service.ts'
import { readFreeBytes } from '#core/file-store/disk-space.ts'
import { checkMailServer } from '#core/mail/check-mail-server.ts'
import { doubtful, fine, wrong, type Finding } from './check.ts'

const MEBIBYTE = 1024 * 1024
/** Beyond the first, somebody should look; beyond the second, signatures and codes of people fail. */
const CLOCK_DOUBT_MS = 1000
const CLOCK_FAULT_MS = 30_000
const SERVER_PATIENCE_MS = 3000

/** @param clocks milliseconds since 1970 by each clock, asked at about the same time; undefined: it did not answer */
export function checkClocks(clocks: Readonly<Record<string, number | undefined>>): Finding {
  const known = Object.entries(clocks).flatMap(([name, at]) => (at === undefined ? [] : [{ name, at }]))
  const [first, ...others] = known
  const apart = others.map(({ name, at }) => ({ name, ms: Math.round(at - (first?.at ?? at)) }))
  const found =
    apart.length === 0
      ? 'only one clock answered'
      : apart.map(({ name, ms }) => `${name} ${ms >= 0 ? '+' : ''}${ms} ms`).join(', ')
  const most = Math.max(0, ...apart.map(({ ms }) => Math.abs(ms)))
  const advice = 'let chrony or systemd-timesyncd set the clock of each machine'
  if (most > CLOCK_FAULT_MS) return wrong('Clocks', found, advice)
  return most > CLOCK_DOUBT_MS ? doubtful('Clocks', found, advice) : fine('Clocks', found)
}

export async function checkDisk({ dataDir, files }: Config): Promise<Finding> {
  if (!existsSync(dataDir))
    return doubtful(
      'Disk of DATA_DIR',
      `${dataDir} does not exist here`,
      'run this where server and worker run',
    )
  const free = Math.floor((await readFreeBytes(dataDir)) / MEBIBYTE)
  const reserve = Math.floor(files.reserveBytes / MEBIBYTE)
  const found = `${free} MiB free, ${reserve} MiB reserved (FILES_RESERVE_MB)`
  if (free < reserve) return wrong('Disk of DATA_DIR', found, 'free space: uploads and exports are refused')
  return free < 2 * reserve
    ? doubtful('Disk of DATA_DIR', found, 'free space soon: uploads will be refused')
    : fine('Disk of DATA_DIR', found)
}

export async function checkMail({ mail, environment }: Config): Promise<Finding> {
  const { smtpUrl } = mail
  if (smtpUrl === undefined)
    return environment === 'production'
      ? wrong('Mail server', 'SMTP_URL is not set, so mails are only written to DATA_DIR', 'set SMTP_URL')
      : fine('Mail server', 'none; mails are written to DATA_DIR')
  const { hostname, port } = new URL(smtpUrl)
  const host = port === '' ? hostname : `${hostname}:${port}`
  try {
    await checkMailServer(smtpUrl)
    return fine('Mail server', `${host} takes our sign-in`)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
    return wrong(
      'Mail server',
      `${host}: ${code}`,
      'correct SMTP_URL, or the network to it; codes to people wait',
    )
  }
}

const isHere = (url: string): boolean => /^(localhost|127\.|\[::1\])/.test(new URL(url).hostname)

/** PUBLIC_URL and TRUST_PROXY, as far as one can be judged by the other. */
export function checkAddress({ http, environment }: Config): Finding {
  const { publicUrl, trustProxy } = http
  const trust = `TRUST_PROXY is ${String(trustProxy)}`
  if (isHere(publicUrl))
    return environment === 'production'
      ? doubtful('PUBLIC_URL', publicUrl, 'set it to the address that people and mails use')
      : fine('PUBLIC_URL', publicUrl)
  if (!publicUrl.startsWith('https:'))
    return wrong(
      'PUBLIC_URL',
      `${publicUrl} is not https`,
      'serve it with TLS: cookies and tokens travel in clear',
    )
  const isUntrusted = String(trustProxy) === '0' || String(trustProxy) === ''
  return isUntrusted
    ? wrong('PUBLIC_URL', `${publicUrl}, but ${trust}`, 'TLS ends at a proxy: set TRUST_PROXY to name it')
    : fine('PUBLIC_URL', `${publicUrl}, ${trust}`)
}

/** Asks the server at PUBLIC_URL: whether one runs, and its version. */
export async function checkServer({ http, build }: Config): Promise<Finding> {
  const ours = [build.version, build.revision].filter((part) => part !== undefined).join(' ')
  try {
    const { status, body } = await askServiceForAnswer({
      url: `${http.publicUrl}/healthz`,
      timeoutMs: SERVER_PATIENCE_MS,
    })
    if (status !== 200)
      return wrong('Server', `answers ${status} at PUBLIC_URL/healthz`, 'look at the proxy and the server')
    const told = JSON.parse(body) as { version?: string; revision?: string }
    const theirs = [told.version, told.revision].filter((part) => part !== undefined).join(' ')
    return theirs === ours
      ? fine('Server', `version ${theirs}, as here`)
      : doubtful('Server', `version ${theirs}; this command is ${ours}`, 'nothing, during a release')
  } catch {
    return doubtful(
      'Server',
      'no answer at PUBLIC_URL/healthz from here',
      'start a server, or look from outside',
    )
  }
}
