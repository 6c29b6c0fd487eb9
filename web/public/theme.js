// Runs before the first paint, so that a chosen theme never flashes the other one. web/app/theme.ts writes the key.
try {
  const theme = localStorage.getItem('leadwire.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  // Whether the public pages show the way in or the way to the dashboard. web/session/auth-client.ts writes the key.
  if (localStorage.getItem('leadwire.auth') !== null) document.documentElement.dataset.signedIn = ''
} catch {
  // A browser that denies storage has kept no theme and no session.
}
