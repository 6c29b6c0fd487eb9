/**
 * Describes what takes so long.
 * @param label of the content: "Loading the sessions", or "Loading" for a page or a part of one
 */
export function describeWait(label: string, isOnline: boolean): string {
  const what = label.replace(/^(?:Loading|Opening):?\s*/, '') || 'this page'
  return isOnline
    ? `Still waiting for ${what}: the server or the line is slow.`
    : `You are offline. Leadwire asks for ${what} once you are back.`
}

/** A short form for small places with a label beside it. */
export function describeShortWait(isOnline: boolean): string {
  return isOnline ? 'Still waiting for the server' : 'You are offline'
}
