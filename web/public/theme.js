// Runs before the first paint, so that the wrong theme never flashes. web/app/theme.ts writes the key.
try {
  const theme = localStorage.getItem('leadwire.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  // Decides if public pages link to the sign-in or to the dashboard. web/session/auth-client.ts writes the
  // key.
  if (localStorage.getItem('leadwire.auth') !== null) document.documentElement.dataset.signedIn = ''
} catch {
  // A browser that denies storage has neither a theme nor a session.
}
