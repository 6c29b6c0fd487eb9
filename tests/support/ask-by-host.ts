import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'

/** The status that a GET of `url` gets under another `Host` than the URL's own, which `fetch` does not let one choose. */
export async function askByHost(
  url: string,
  host: string,
  headers: Record<string, string> = {},
): Promise<number | undefined> {
  const asked = request(url, { agent: false, headers: { ...headers, host } })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response.statusCode
}
