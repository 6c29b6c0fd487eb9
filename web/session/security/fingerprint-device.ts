/** FNV-1a with 32 bits: enough to tell devices apart, not to keep secrets. */
function hash(text: string) {
  let value = 0x811c9dc5
  for (const character of text) {
    value ^= character.codePointAt(0) ?? 0
    value = Math.imul(value, 0x01000193)
  }
  return (value >>> 0).toString(16).padStart(8, '0')
}

/**
 * Returns a short name of this kind of device, made of what every page can read. It stays in the browser
 * (docs/product.md §3).
 */
export function fingerprintDevice() {
  const { language, hardwareConcurrency, maxTouchPoints, userAgent } = navigator
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const display = `${screen.width}x${screen.height}x${screen.colorDepth}`
  return hash([userAgent, language, zone, display, hardwareConcurrency, maxTouchPoints].join('|'))
}
