import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands in for a captcha's provider: its script, its frame, and the check of what they gave. */
export interface CaptchaServer {
  url: string
  /** what was checked, oldest first, and whether it was good */
  checks: { token: string; isGood: boolean }[]
  /** whether the script can be loaded */
  isUp: boolean
  close: () => Promise<void>
}

/**
 * As Turnstile's script has it: a widget in a frame of its own origin, one token for each that is solved. The button stands in
 * for the person's answer, which the real one takes inside the frame.
 */
const SCRIPT = `(() => {
  const base = new URL(document.currentScript.src)
  let widgets = 0
  window.turnstile = {
    render(container, options) {
      const id = 'widget-' + (widgets += 1)
      const frame = Object.assign(document.createElement('iframe'), {
        src: base.origin + '/frame', title: 'Widget of the captcha', width: 120, height: 60 })
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'I am human' })
      button.addEventListener('click', () => {
        button.textContent = 'Solved'
        options.callback(options.sitekey + '.' + crypto.randomUUID())
      })
      const root = Object.assign(document.createElement('div'), { id })
      root.append(frame, button)
      container.append(root)
      return id
    },
    remove(id) { document.getElementById(id)?.remove() },
  }
  window[base.searchParams.get('onload')]()
})()`

export async function startCaptchaServer(siteKey: string): Promise<CaptchaServer> {
  const used = new Set<string>()
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      if (pathname === '/siteverify') {
        const token = (await readForm(request)).get('response') ?? ''
        const isGood = token.startsWith(`${siteKey}.`) && !used.has(token)
        used.add(token)
        captcha.checks.push({ token, isGood })
        response.setHeader('Content-Type', 'application/json')
        response.end(
          JSON.stringify({ success: isGood, 'error-codes': isGood ? [] : ['timeout-or-duplicate'] }),
        )
      } else if (pathname === '/api.js' && captcha.isUp)
        response.setHeader('Content-Type', 'text/javascript').end(SCRIPT)
      else if (pathname === '/frame')
        response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Captcha</title>')
      else response.writeHead(503).end()
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const captcha: CaptchaServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    checks: [],
    isUp: true,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return captcha
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return new URLSearchParams(Buffer.concat(pieces).toString())
}
