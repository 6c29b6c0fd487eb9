/** Opens the stream of changes after the given mark. @throws if the server refuses or does not answer */
type OpenStream = (mark: string | undefined, stop: AbortSignal) => Promise<Response>

/**
 * The server sends something at least every 5 s (docs/contract.md §4). After twice that time we count the
 * connection as dead.
 */
const SILENCE_MS = 11_000
/** Waits between tries: 1, 2, 5, 10 s (docs/product.md §9). */
const WAITS_MS = [1000, 2000, 5000, 10_000]

/**
 * Returns the wait before the next try, in milliseconds. It grows with each failure and is randomised, so
 * that the clients of a lost server do not return all at once.
 * @param failures in a row; 0 after a normal end of the stream
 * @param random from 0 to 1
 */
export function reconnectWait(failures: number, random: number): number {
  const wait = WAITS_MS[Math.min(Math.max(failures, 1), WAITS_MS.length) - 1] ?? 0
  return wait * (0.75 + random / 2)
}

/**
 * Listens to the stream of changes and opens it again, until it is stopped.
 * @param open opens the stream
 * @param at the last mark that this browser received; sent when the stream is opened again
 * @param told called when something has changed, or may have changed while we were not connected
 */
export async function followChanges(
  open: OpenStream,
  at: { mark: string | undefined },
  told: () => void,
  stop: AbortSignal,
): Promise<void> {
  let failures = 0
  const heard = (text: string) => {
    failures = 0
    const { mark, isChange } = readMessages(text)
    at.mark = mark ?? at.mark
    if (isChange) told()
  }
  while (!stop.aborted) {
    try {
      await readStream((signal) => open(at.mark, signal), heard, stop)
    } catch {
      failures += 1
      // After a single failure the next stream reports what was missed. From the second failure on, each try
      // also refreshes the screen.
      if (failures > 1 && !stop.aborted) told()
    }
    await pause(reconnectWait(failures, Math.random()), stop)
  }
}

/** Reads complete messages: the newest mark, and whether something has changed. */
export function readMessages(text: string): { mark: string | undefined; isChange: boolean } {
  const [, mark] = /^id: (.+)$/m.exec(text) ?? []
  return { mark, isChange: /^data:/m.test(text) }
}

async function readStream(
  open: (stop: AbortSignal) => Promise<Response>,
  heard: (text: string) => void,
  stop: AbortSignal,
) {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  listen()
  try {
    const { body } = await open(AbortSignal.any([stop, silence.signal]))
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done = true, value = '' } = (await reader?.read()) ?? {}
      if (done) return
      listen()
      const whole = (rest + value).lastIndexOf('\n\n')
      const text = rest + value
      rest = text.slice(whole + 1)
      if (whole >= 0) heard(text.slice(0, whole + 1))
    }
  } finally {
    clearTimeout(timer)
  }
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, stop.aborted ? 0 : ms)
    stop.addEventListener('abort', end)
  })
}
