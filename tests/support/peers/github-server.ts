import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface GithubEmail {
  email: string
  primary: boolean
  verified: boolean
}

/** The three GitHub addresses of a sign-in, as its documentation describes them. */
export interface GithubServer {
  url: string
  person: { id: number; login: string; name: string | null; emails: GithubEmail[] }
  /** Returns the redirect that the user's browser brings back from the authorization address. */
  walk: (authorizationUrl: string) => string
  close: () => Promise<void>
}

export async function startGithubServer(clientSecret: string): Promise<GithubServer> {
  /** code → PKCE challenge */
  const codes = new Map<string, string>()
  const tokens = new Set<string>()
  const github: GithubServer = {
    url: '',
    person: { id: 1, login: 'ada', name: null, emails: [] },
    walk: (authorizationUrl) => {
      const { searchParams } = new URL(authorizationUrl)
      const code = randomUUID()
      codes.set(code, searchParams.get('code_challenge') ?? '')
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', searchParams.get('state') ?? '')
      return back.href
    },
    close: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify(body))
    }
    if (request.url === '/login/oauth/access_token') {
      const form = new URLSearchParams(await text(request))
      const challenge = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const made = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (form.get('client_secret') !== clientSecret || challenge !== made) {
        // GitHub also uses status 200.
        send(200, { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' })
        return
      }
      const token = randomUUID()
      tokens.add(`Bearer ${token}`)
      send(200, { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' })
      return
    }
    if (!tokens.has(request.headers.authorization ?? '')) send(401, { message: 'Bad credentials' })
    else if (request.url === '/api/v3/user/emails') send(200, github.person.emails)
    else send(200, { ...github.person, emails: undefined, avatar_url: `${github.url}/ada.png` })
  }
  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  github.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return github
}
