import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FormServer {
  url: string
  /** posted forms, oldest first */
  forms: { path: string; authorization: string; form: Record<string, string> }[]
  close: () => Promise<void>
}

interface Answer {
  status?: number
  body: unknown
}

/** Starts a provider of messages or captchas, which takes forms and answers JSON. */
export async function startFormServer(
  answer: (form: Record<string, string>) => Answer | Promise<Answer>,
): Promise<FormServer> {
  const forms: FormServer['forms'] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(pieces).toString()))
      const { authorization = '' } = request.headers
      forms.push({ path: request.url ?? '', authorization, form })
      void Promise.resolve(answer(form)).then(({ status = 200, body }) => {
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forms,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
