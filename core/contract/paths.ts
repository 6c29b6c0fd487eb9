/** The places of the administration, each at `/admin/<place>`; the overview is at `/admin` itself. */
export const ADMIN_PLACES = [
  'needs-you',
  'leads',
  'clients',
  'orders',
  'sources',
  'prices',
  'money',
  'returns',
  'deliveries',
  'compliance',
  'people',
  'audit',
  'settings',
] as const
export type AdminPlace = (typeof ADMIN_PLACES)[number]

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
  unsubscribe: '/unsubscribe',
  revoke: '/revoke',
  doNotContact: '/do-not-contact',
  doNotContactProof: '/do-not-contact/:id',
  join: '/join',
  admin: '/admin',
  adminPlace: '/admin/:place',
  adminItem: '/admin/:place/:id',
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
  status: '/status',
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
