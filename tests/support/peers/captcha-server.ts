import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands in for a captcha provider: its script, its frame, and the check of its tokens. */
export interface CaptchaServer {
  url: string
  /** the checked tokens, oldest first, and whether they were valid */
  checks: { token: string; isGood: boolean }[]
  /** false if the script cannot be loaded */
  isUp: boolean
  close: () => Promise<void>
}

/**
 * Works like Turnstile's script: a widget in a frame of its own origin, with one token for each solution. A
 * button replaces the user's answer, which the real one takes inside the frame.
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
