/** Path of the authentication service (AUTH_MOUNT_PATH), which the server writes into the page. */
const mountPath = document.querySelector<HTMLMetaElement>('meta[name="leadwire-auth"]')?.content ?? '/auth/v1'

export const AUTH_URL = `${location.origin}${mountPath}`
