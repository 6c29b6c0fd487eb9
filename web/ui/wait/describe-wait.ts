/**
 * What takes so long, in words.
 * @param label of what loads: "Loading the sessions", or "Loading" alone for a page or a part of one
 */
export function describeWait(label: string, isOnline: boolean): string {
  const what = label.replace(/^(?:Loading|Opening):?\s*/, '') || 'this page'
  return isOnline
    ? `Still waiting for ${what}: the server or the line is slow.`
    : `You are offline. Leadwire asks for ${what} once you are back.`
}

/** The same where there is room for a few words, and what is waited for stands beside them. */
export function describeShortWait(isOnline: boolean): string {
  return isOnline ? 'Still waiting for the server' : 'You are offline'
}
