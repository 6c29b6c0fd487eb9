export interface Told {
  status: number
  /** empty where the answer is no object */
  json: Record<string, unknown>
}

/** Asks a server that runs in a process of its own. @param body a text is sent as it is */
export async function askServer(
  url: string,
  {
    method,
    path,
    body,
    bearer,
  }: { method: string; path: string; body?: unknown; bearer?: string | undefined },
): Promise<Told> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    json: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
  }
}
