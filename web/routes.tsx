import type { ReactNode } from 'react'
import { BrowserRouter, Outlet, Route, Routes } from 'react-router-dom'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { AppFrame } from './app/AppFrame.tsx'
import { AppErrorScreen } from './app/errors/AppErrorScreen.tsx'
import { ErrorBoundary } from './app/errors/ErrorBoundary.tsx'
import { LastErrorScreen } from './app/errors/LastErrorScreen.tsx'
import { SectionErrorScreen } from './app/errors/SectionErrorScreen.tsx'
import { LeaveForSite } from './app/LeaveForSite.tsx'
import { NotFound } from './app/errors/NotFound.tsx'
import { ShellOfMembers } from './app/ShellOfMembers.tsx'
import { lazyScreen } from './app/lazy-screen.tsx'
import { PATHS } from './paths.ts'
import { RequireAuth } from './session/RequireAuth.tsx'

/** Each screen is a file of its own, loaded at the first visit. */
const SCREENS = {
  auth: lazyScreen('AuthPage', async () => (await import('./accounts/sign-in/AuthPage.tsx')).AuthPage),
  openLink: lazyScreen(
    'OpenLinkPage',
    async () => (await import('./accounts/sign-in/OpenLinkPage.tsx')).OpenLinkPage,
  ),
  secureSignup: lazyScreen(
    'SecureSignupPage',
    async () => (await import('./accounts/sign-in/SecureSignupPage.tsx')).SecureSignupPage,
  ),
  adminAuth: lazyScreen(
    'AdminAuthPage',
    async () => (await import('./accounts/sign-in/AdminAuthPage.tsx')).AdminAuthPage,
  ),
  postingSpec: lazyScreen(
    'PostingSpecPage',
    async () => (await import('./leads/posting-spec/PostingSpecPage.tsx')).PostingSpecPage,
  ),
  unsubscribe: lazyScreen(
    'UnsubscribePage',
    async () => (await import('./market/notices/UnsubscribePage.tsx')).UnsubscribePage,
  ),
  revoke: lazyScreen(
    'RevokePage',
    async () => (await import('./leads/revocations/RevokePage.tsx')).RevokePage,
  ),
  doNotContact: lazyScreen(
    'DoNotContactPage',
    async () => (await import('./leads/revocations/DoNotContactPage.tsx')).DoNotContactPage,
  ),
  doNotContactProof: lazyScreen(
    'ProofPage',
    async () => (await import('./leads/revocations/ProofPage.tsx')).ProofPage,
  ),
  join: lazyScreen('JoinPage', async () => (await import('./accounts/team/JoinPage.tsx')).JoinPage),
  paymentRequired: lazyScreen(
    'PaymentRequiredPage',
    async () => (await import('./market/payment-required/PaymentRequiredPage.tsx')).PaymentRequiredPage,
  ),
  shell: lazyScreen('AppShell', async () => (await import('./app/shell/AppShell.tsx')).AppShell),
  dashboard: lazyScreen(
    'DashboardPage',
    async () => (await import('./market/dashboard/DashboardPage.tsx')).DashboardPage,
  ),
  leads: lazyScreen('LeadsPage', async () => (await import('./leads/LeadsPage.tsx')).LeadsPage),
  lead: lazyScreen('LeadPage', async () => (await import('./leads/LeadPage.tsx')).LeadPage),
  analytics: lazyScreen(
    'AnalyticsPage',
    async () => (await import('./market/analytics/AnalyticsPage.tsx')).AnalyticsPage,
  ),
  enterpriseDashboard: lazyScreen(
    'EnterpriseLeadBuyerDashboard',
    async () =>
      (await import('./market/enterprise/EnterpriseLeadBuyerDashboard.tsx')).EnterpriseLeadBuyerDashboard,
  ),
  clientIntegrations: lazyScreen(
    'ClientIntegrationsPage',
    async () => (await import('./webhooks/ClientIntegrationsPage.tsx')).ClientIntegrationsPage,
  ),
  orders: lazyScreen('OrdersPage', async () => (await import('./market/orders/OrdersPage.tsx')).OrdersPage),
  onboarding: lazyScreen(
    'LeadBuyerOnboarding',
    async () => (await import('./app/onboarding/LeadBuyerOnboarding.tsx')).LeadBuyerOnboarding,
  ),
  settings: lazyScreen(
    'SettingsPage',
    async () => (await import('./app/settings/SettingsPage.tsx')).SettingsPage,
  ),
  help: lazyScreen('HelpPage', async () => (await import('./app/help/HelpPage.tsx')).HelpPage),
  admin: lazyScreen('AdminPage', async () => (await import('./app/admin/AdminApp.tsx')).AdminApp),
}

/** Wraps the screens inside the shell, so that the rest of the app works when one of them fails. */
function Section() {
  return (
    <ErrorBoundary screen={SectionErrorScreen}>
      <Outlet />
    </ErrorBoundary>
  )
}

function Guarded({ children }: { children: ReactNode }) {
  return <RequireAuth>{children}</RequireAuth>
}

export function AppRouter() {
  return (
    <BrowserRouter>
      <ErrorBoundary screen={LastErrorScreen}>
        <ErrorBoundary screen={AppErrorScreen}>
          <Routes>
            <Route element={<AppFrame />}>
              <Route path={PATHS.auth} element={SCREENS.auth} />
              <Route path={PATHS.openLink} element={SCREENS.openLink} />
              <Route path={PATHS.secureSignup} element={SCREENS.secureSignup} />
              <Route path={PATHS.adminAuth} element={SCREENS.adminAuth} />
              <Route path={PATHS.unsubscribe} element={SCREENS.unsubscribe} />
              <Route path={PATHS.revoke} element={SCREENS.revoke} />
              <Route path={PATHS.join} element={SCREENS.join} />
              <Route path={PATHS.postingSpec} element={SCREENS.postingSpec} />
              <Route path={PATHS.paymentRequired} element={<Guarded>{SCREENS.paymentRequired}</Guarded>} />
              <Route path={`${PATHS.admin}/*`} element={<Guarded>{SCREENS.admin}</Guarded>} />
              <Route element={<Guarded>{SCREENS.shell}</Guarded>}>
                <Route element={<Section />}>
                  <Route path={PATHS.dashboard} element={SCREENS.dashboard} />
                  <Route path={PATHS.leads} element={SCREENS.leads} />
                  <Route path={PATHS.lead} element={SCREENS.lead} />
                  <Route path={PATHS.doNotContact} element={SCREENS.doNotContact} />
                  <Route path={PATHS.doNotContactProof} element={SCREENS.doNotContactProof} />
                  <Route path={PATHS.analytics} element={SCREENS.analytics} />
                  <Route path={PATHS.enterpriseDashboard} element={SCREENS.enterpriseDashboard} />
                  <Route path={PATHS.clientIntegrations} element={SCREENS.clientIntegrations} />
                  <Route path={PATHS.orders} element={SCREENS.orders} />
                  <Route path={PATHS.onboarding} element={SCREENS.onboarding} />
                  <Route path={PATHS.settings} element={SCREENS.settings} />
                  <Route path={PATHS.help} element={SCREENS.help} />
                </Route>
              </Route>
              <Route element={<ShellOfMembers>{SCREENS.shell}</ShellOfMembers>}>
                {Object.values(SITE_PATHS).map((path) => (
                  <Route key={path} path={path} element={<LeaveForSite missing={<NotFound />} />} />
                ))}
                <Route path="*" element={<NotFound />} />
              </Route>
            </Route>
          </Routes>
        </ErrorBoundary>
      </ErrorBoundary>
    </BrowserRouter>
  )
}
