const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** True if requests to `url` cross a network unencrypted; false for an incomplete URL. */
export function isSentInTheClear(url: string): boolean {
  const text = url.trim()
  if (!/^http:\/\/./i.test(text) || !URL.canParse(text)) return false
  return !LOOPBACK.test(new URL(text).hostname)
}
