const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether what is sent to `url` crosses a network unencrypted; an address that is not whole yet says nothing. */
export function isSentInTheClear(url: string): boolean {
  const text = url.trim()
  if (!/^http:\/\/./i.test(text) || !URL.canParse(text)) return false
  return !LOOPBACK.test(new URL(text).hostname)
}
