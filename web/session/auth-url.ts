/** Where the authentication service lies (AUTH_MOUNT_PATH): the server writes it into the page. */
const mountPath = document.querySelector<HTMLMetaElement>('meta[name="leadwire-auth"]')?.content ?? '/auth/v1'

export const AUTH_URL = `${location.origin}${mountPath}`
