/** The web app's screens (docs/product.md §2), in the router's syntax. A screen is added when it exists. */
export const APP_PATHS = {
  auth: '/auth',
  openLink: '/auth/verify',
  secureSignup: '/secure-signup',
  paymentRequired: '/payment-required',
  dashboard: '/dashboard',
  leads: '/leads',
  lead: '/leads/:id',
  analytics: '/analytics',
  enterpriseDashboard: '/enterprise-dashboard',
  clientIntegrations: '/client-integrations',
  orders: '/orders',
  onboarding: '/onboarding',
  settings: '/settings',
  help: '/help',
  admin: '/admin',
  adminAuth: '/admin-auth',
  postingSpec: '/posting-specs/:token',
} as const

/**
 * The public site (docs/product.md §2): pages made at build, which can be read without an account and without
 * JavaScript.
 */
export const SITE_PATHS = {
  home: '/',
  about: '/about',
  integrations: '/integrations',
  api: '/api',
  contact: '/contact',
  documentation: '/documentation',
  guide: '/documentation/:slug',
  helpCenter: '/help-center',
  webinars: '/webinars',
  blog: '/blog',
  blogPost: '/blog/:slug',
  privacyPolicy: '/privacy-policy',
  termsOfService: '/terms-of-service',
  cookies: '/cookies',
  tcpa: '/tcpa',
  aiAnalytics: '/ai-analytics',
  aiSettings: '/ai-settings',
  aiCalling: '/ai-calling',
} as const

/** The screen that opens the queue dashboard for an administrator who typed its address. */
export const QUEUE_BOARD_DOOR = `${APP_PATHS.admin}?open=queues`

// Upper and lower case match alike, as in the router.
const PATTERNS = Object.entries(APP_PATHS).map(
  ([name, path]) => [name, new RegExp(`^${path.replaceAll(/:[a-z]+/g, '[^/]+')}/?$`, 'i')] as const,
)

/** The name of the web app's screen at this path; without one, the server answers 404 with the not-found page. */
export function nameAppPath(pathname: string): string | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(pathname))?.[0]
}

export function isAppPath(pathname: string): boolean {
  return nameAppPath(pathname) !== undefined
}
