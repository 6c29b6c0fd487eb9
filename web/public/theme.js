// Runs before the first paint, so that a chosen theme never flashes the other one. web/app/theme.ts writes the key.
const theme = localStorage.getItem('leadwire.theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
