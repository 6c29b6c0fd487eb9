const KEY = 'leadwire.view-as'

/** The id of the client whose screens an administrator sees in this tab; null otherwise. */
export function viewedClient() {
  return sessionStorage.getItem(KEY)
}

/** Shows a client's screens in this tab until {@link stopViewing}, once the page is loaded anew. */
export function viewClient(id: string) {
  sessionStorage.setItem(KEY, id)
}

export function stopViewing() {
  sessionStorage.removeItem(KEY)
}
