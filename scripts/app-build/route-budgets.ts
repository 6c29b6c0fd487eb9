import { APP_PATHS } from '#core/contract/paths.ts'

export interface RouteBudget {
  /**
   * Limit of the first load: JavaScript in KB (1,000 bytes), compressed with gzip. The build fails above MOST
   * times this.
   */
  budget: number
  /** the modules that it shows, or needs to show them */
  parts: readonly string[]
}

/** A screen by its name in APP_PATHS. */
export type Route = keyof typeof APP_PATHS | 'notFound'

const SESSION = 'session/SessionKeeper.tsx'
const IN_SHELL = [SESSION, 'app/shell/AppShell.tsx']

/**
 * The budget of each screen's first load: raise a number here, or load less (docs/decisions/0024). It
 * excludes main.tsx's own files, and whatever a screen loads later by itself or after a press.
 */
export const ROUTE_BUDGETS: Readonly<Record<Route, RouteBudget>> = {
  notFound: { budget: 104, parts: [] },
  auth: { budget: 135, parts: ['accounts/sign-in/AuthPage.tsx'] },
  openLink: { budget: 195, parts: ['accounts/sign-in/OpenLinkPage.tsx'] },
  secureSignup: { budget: 200, parts: ['accounts/sign-in/SecureSignupPage.tsx'] },
  adminAuth: { budget: 216, parts: ['accounts/sign-in/AdminAuthPage.tsx'] },
  postingSpec: { budget: 194, parts: ['leads/posting-spec/PostingSpecPage.tsx'] },
  paymentRequired: { budget: 194, parts: [SESSION, 'market/payment-required/PaymentRequiredPage.tsx'] },
  dashboard: { budget: 199, parts: [...IN_SHELL, 'market/dashboard/DashboardPage.tsx'] },
  leads: { budget: 208, parts: [...IN_SHELL, 'leads/LeadsPage.tsx'] },
  lead: { budget: 215, parts: [...IN_SHELL, 'leads/LeadPage.tsx'] },
  analytics: { budget: 203, parts: [...IN_SHELL, 'market/analytics/AnalyticsPage.tsx'] },
  enterpriseDashboard: {
    budget: 210,
    parts: [...IN_SHELL, 'market/enterprise/EnterpriseLeadBuyerDashboard.tsx'],
  },
  clientIntegrations: { budget: 235, parts: [...IN_SHELL, 'webhooks/ClientIntegrationsPage.tsx'] },
  orders: { budget: 201, parts: [...IN_SHELL, 'market/orders/OrdersPage.tsx'] },
  onboarding: { budget: 196, parts: [...IN_SHELL, 'app/onboarding/LeadBuyerOnboarding.tsx'] },
  settings: {
    budget: 218,
    parts: [...IN_SHELL, 'market/business/BusinessPanel.tsx', 'app/settings/SettingsPage.tsx'],
  },
  unsubscribe: { budget: 190, parts: ['market/notices/UnsubscribePage.tsx'] },
  revoke: { budget: 190, parts: ['leads/revocations/RevokePage.tsx'] },
  doNotContact: { budget: 198, parts: [...IN_SHELL, 'leads/revocations/DoNotContactPage.tsx'] },
  doNotContactProof: { budget: 198, parts: [...IN_SHELL, 'leads/revocations/ProofPage.tsx'] },
  join: { budget: 185, parts: [SESSION, 'accounts/team/JoinPage.tsx'] },
  help: { budget: 200, parts: [...IN_SHELL, 'app/help/HelpPage.tsx'] },
  admin: { budget: 207, parts: [...IN_SHELL, 'app/admin/AdminApp.tsx'] },
  adminPlace: { budget: 207, parts: [...IN_SHELL, 'app/admin/AdminApp.tsx'] },
  adminItem: { budget: 207, parts: [...IN_SHELL, 'app/admin/AdminApp.tsx'] },
}

const MOST = 1.05

/** A sentence for each route whose first load is above its budget. @param weights in KB */
export function findTooHeavy(weights: ReadonlyMap<Route, number>): string[] {
  return [...weights]
    .filter(([route, weight]) => weight > ROUTE_BUDGETS[route].budget * MOST)
    .map(
      ([route, weight]) =>
        `${showRoute(route)}: ${weight.toFixed(1)} KB, its budget is ${ROUTE_BUDGETS[route].budget}`,
    )
}

export function showRoute(route: Route): string {
  return route === 'notFound' ? 'not found' : APP_PATHS[route]
}

export function listRoutes(): Route[] {
  return Object.keys(ROUTE_BUDGETS) as Route[]
}
