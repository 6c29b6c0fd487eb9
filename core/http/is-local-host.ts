/**
 * Names this `Host` the very machine, so that nobody else can have sent a browser there? A page may lead any other name of its
 * own to 127.0.0.1 (DNS rebinding) and then reads what answers: the loopback alone proves nothing. `localhost` and what is below
 * it can lead nowhere else (RFC 6761 §6.3).
 * @param ownUrls the installation's own addresses: a name below `.test`, which nobody can own (RFC 6761 §6.2), counts where one has it
 */
export function isLocalHost(host: string | undefined, ownUrls: readonly string[] = []): boolean {
  const [, name = ''] = /^(\[[\da-f:]+\]|[\w.-]+)(?::\d{1,5})?$/.exec(host?.toLowerCase() ?? '') ?? []
  if (/^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name)) return true
  return name.endsWith('.test') && ownUrls.some((url) => new URL(url).hostname === name)
}
