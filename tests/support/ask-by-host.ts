import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'

/** Returns the status of a GET with another `Host` header, which `fetch` does not allow. */
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
