import { createBrowserRouter } from 'react-router-dom'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { AppFrame } from './app/AppFrame.tsx'
import { LeaveForSite } from './app/LeaveForSite.tsx'
import { lazyScreen } from './app/lazy-screen.tsx'
import { RequireAuth } from './session/RequireAuth.tsx'
import { AppErrorScreen } from './app/errors/AppErrorScreen.tsx'
import { LastErrorScreen } from './app/errors/LastErrorScreen.tsx'
import { SectionErrorScreen } from './app/errors/SectionErrorScreen.tsx'
import { PATHS } from './paths.ts'

export function createAppRouter() {
  const notFound = lazyScreen('NotFound', async () => (await import('./app/errors/NotFound.tsx')).NotFound)
  const screens = {
    element: <AppFrame />,
    errorElement: <AppErrorScreen />,
    children: [
      ...Object.values(SITE_PATHS).map((path) => ({ path, element: <LeaveForSite missing={notFound} /> })),
      {
        path: PATHS.auth,
        element: lazyScreen(
          'AuthPage',
          async () => (await import('./accounts/sign-in/AuthPage.tsx')).AuthPage,
        ),
      },
      {
        path: PATHS.secureSignup,
        element: lazyScreen(
          'SecureSignupPage',
          async () => (await import('./accounts/sign-in/SecureSignupPage.tsx')).SecureSignupPage,
        ),
      },
      {
        path: PATHS.adminAuth,
        element: lazyScreen(
          'AdminAuthPage',
          async () => (await import('./accounts/sign-in/AdminAuthPage.tsx')).AdminAuthPage,
        ),
      },
      {
        path: PATHS.postingSpec,
        element: lazyScreen(
          'PostingSpecPage',
          async () => (await import('./leads/posting-spec/PostingSpecPage.tsx')).PostingSpecPage,
        ),
      },
      {
        path: PATHS.paymentRequired,
        element: (
          <RequireAuth>
            {lazyScreen(
              'PaymentRequiredPage',
              async () =>
                (await import('./market/payment-required/PaymentRequiredPage.tsx')).PaymentRequiredPage,
            )}
          </RequireAuth>
        ),
      },
      {
        element: (
          <RequireAuth>
            {lazyScreen('AppShell', async () => (await import('./app/shell/AppShell.tsx')).AppShell)}
          </RequireAuth>
        ),
        children: [
          {
            // Inside the shell, so that the rest of the app stays usable when one screen fails.
            errorElement: <SectionErrorScreen />,
            children: [
              {
                path: PATHS.dashboard,
                element: lazyScreen(
                  'DashboardPage',
                  async () => (await import('./market/dashboard/DashboardPage.tsx')).DashboardPage,
                ),
              },
              {
                path: PATHS.leads,
                element: lazyScreen(
                  'LeadsPage',
                  async () => (await import('./leads/LeadsPage.tsx')).LeadsPage,
                ),
              },
              {
                path: PATHS.lead,
                element: lazyScreen('LeadPage', async () => (await import('./leads/LeadPage.tsx')).LeadPage),
              },
              {
                path: PATHS.analytics,
                element: lazyScreen(
                  'AnalyticsPage',
                  async () => (await import('./market/analytics/AnalyticsPage.tsx')).AnalyticsPage,
                ),
              },
              {
                path: PATHS.clientIntegrations,
                element: lazyScreen(
                  'ClientIntegrationsPage',
                  async () => (await import('./webhooks/ClientIntegrationsPage.tsx')).ClientIntegrationsPage,
                ),
              },
              {
                path: PATHS.orders,
                element: lazyScreen(
                  'OrdersPage',
                  async () => (await import('./market/orders/OrdersPage.tsx')).OrdersPage,
                ),
              },
              {
                path: PATHS.settings,
                element: lazyScreen(
                  'SettingsPage',
                  async () => (await import('./app/settings/SettingsPage.tsx')).SettingsPage,
                ),
              },
              {
                path: PATHS.help,
                element: lazyScreen(
                  'HelpPage',
                  async () => (await import('./app/help/HelpPage.tsx')).HelpPage,
                ),
              },
              {
                path: PATHS.admin,
                element: lazyScreen(
                  'AdminPage',
                  async () => (await import('./operations/AdminPage.tsx')).AdminPage,
                ),
              },
            ],
          },
        ],
      },
      { path: '*', element: notFound },
    ],
  }
  return createBrowserRouter([{ errorElement: <LastErrorScreen />, children: [screens] }])
}
