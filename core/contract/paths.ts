/** The web app's screens (docs/product.md §2), in the router's syntax. A screen joins the list when it exists. */
export const APP_PATHS = {
  auth: '/auth',
  secureSignup: '/secure-signup',
  paymentRequired: '/payment-required',
  dashboard: '/dashboard',
  leads: '/leads',
  lead: '/leads/:id',
  analytics: '/analytics',
  clientIntegrations: '/client-integrations',
  orders: '/orders',
  settings: '/settings',
  help: '/help',
  admin: '/admin',
  adminAuth: '/admin-auth',
  postingSpec: '/posting-specs/:token',
} as const

/** The public site (docs/product.md §2): pages made at build, which are read without an account and without JavaScript. */
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

// In any case, as the router matches them.
const PATTERNS = Object.values(APP_PATHS).map(
  (path) => new RegExp(`^${path.replaceAll(/:[a-z]+/g, '[^/]+')}/?$`, 'i'),
)

/** Whether the web app has a screen at this path; the server answers 404 with the not-found page where it has none. */
export function isAppPath(pathname: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(pathname))
}
