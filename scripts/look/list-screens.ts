/** A row of the table of paths, as docs/screens.md shows it. */
export interface Screen {
  /** as in the table */
  path: string
  screen: string
  who: 'nobody' | 'client' | 'administrator' | 'newcomer'
  /** the path to open, if it differs */
  open?: string
}

/** Every screen that has a path, in the order in which they are named. */
export const SCREENS: readonly Screen[] = [
  { path: '/', screen: 'Home', who: 'nobody' },
  { path: '/about', screen: 'About', who: 'nobody' },
  { path: '/auth', screen: 'Sign-in and sign-up', who: 'nobody' },
  { path: '/payment-required', screen: 'Payment required', who: 'newcomer' },
  { path: '/secure-signup', screen: 'Secure sign-up', who: 'nobody' },
  { path: '/dashboard', screen: 'Dashboard', who: 'client' },
  { path: '/leads', screen: 'Leads', who: 'client' },
  { path: '/leads/{id}', screen: 'One lead', who: 'client', open: '/leads/:first' },
  { path: '/analytics', screen: 'Analytics', who: 'client' },
  { path: '/ai-analytics', screen: 'AI analytics', who: 'nobody' },
  { path: '/ai-settings', screen: 'AI settings', who: 'nobody' },
  { path: '/client-integrations', screen: 'Integrations', who: 'client' },
  { path: '/settings', screen: 'Settings', who: 'client', open: '/settings?tab=billing' },
  { path: '/help', screen: 'Help', who: 'client' },
  { path: '/api', screen: 'API', who: 'nobody' },
  { path: '/integrations', screen: 'Integrations, for everybody', who: 'nobody' },
  { path: '/contact', screen: 'Contact', who: 'nobody' },
  { path: '/documentation', screen: 'Documentation', who: 'nobody' },
  { path: '/help-center', screen: 'Help center', who: 'nobody' },
  { path: '/status', screen: 'Status', who: 'nobody' },
  { path: '/webinars', screen: 'Webinars', who: 'nobody' },
  { path: '/privacy-policy', screen: 'Privacy policy', who: 'nobody' },
  { path: '/terms-of-service', screen: 'Terms of service', who: 'nobody' },
  { path: '/cookies', screen: 'Cookie policy', who: 'nobody' },
  { path: '/tcpa', screen: 'TCPA compliance', who: 'nobody' },
  { path: '/blog', screen: 'Blog', who: 'nobody' },
  { path: '/blog/{slug}', screen: 'An article', who: 'nobody', open: '/blog/speed-to-lead' },
  { path: '/admin', screen: 'Administration', who: 'administrator' },
  { path: '/admin-auth', screen: 'Administrators’ sign-in', who: 'nobody' },
  { path: '/orders', screen: 'Orders', who: 'client' },
  { path: '/onboarding', screen: 'Onboarding', who: 'newcomer', open: '/onboarding?step=business' },
  { path: '/enterprise-dashboard', screen: 'Enterprise dashboard', who: 'client' },
  { path: '/ai-calling', screen: 'AI calling', who: 'nobody' },
  { path: 'any other', screen: 'Not found', who: 'nobody', open: '/no-such-page' },
]
