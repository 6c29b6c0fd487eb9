import { LONGEST_ANSWER_BYTES, ServiceError } from '#core/http/ask-service.ts'

/** The options that those libraries pass; they give `undefined` for missing ones. */
interface Asked {
  method?: string
  headers?: Headers | Record<string, string>
  body?: ReadableStream | ArrayBuffer | Uint8Array | URLSearchParams | string | null | undefined
  redirect?: 'manual'
  signal?: AbortSignal | null | undefined
}

/**
 * The `fetch` for libraries that call a configured service themselves (OpenID Connect, JWKS): they have a
 * time limit but read an answer of any length. This one stops at the limit of {@link askService}; compressed
 * answers count decompressed.
 */
export async function fetchBounded(url: string, { body, signal, ...asked }: Asked): Promise<Response> {
  const response = await fetch(url, {
    ...asked,
    body: (body ?? null) as NonNullable<RequestInit['body']> | null,
    signal: signal ?? null,
  })
  if (response.body === null) return response
  let received = 0
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        received += chunk.length
        if (received > LONGEST_ANSWER_BYTES) throw new ServiceError('The service answered without end')
        controller.enqueue(chunk)
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(bounded, { status, statusText, headers })
}
