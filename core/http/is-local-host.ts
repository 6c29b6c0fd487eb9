/**
 * Whether this `Host` can only mean this machine, so that no other site can have sent a browser here. A page can point
 * any name of its own to 127.0.0.1 (DNS rebinding) and then read the answers, so a loopback address alone proves
 * nothing. `localhost` and names below it always mean this machine (RFC 6761 §6.3).
 * @param ownUrls the installation's own addresses: a name below `.test`, which nobody can own (RFC 6761 §6.2), counts
 * if one of them has it
 */
export function isLocalHost(host: string | undefined, ownUrls: readonly string[] = []): boolean {
  const [, name = ''] = /^(\[[\da-f:]+\]|[\w.-]+)(?::\d{1,5})?$/.exec(host?.toLowerCase() ?? '') ?? []
  if (/^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name)) return true
  return name.endsWith('.test') && ownUrls.some((url) => new URL(url).hostname === name)
}
