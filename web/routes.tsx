import { createBrowserRouter, Navigate } from 'react-router-dom'
import { AppFrame } from './components/AppFrame.tsx'
import { HomeRedirect } from './components/HomeRedirect.tsx'
import { lazyScreen } from './components/lazy-screen.tsx'
import { RequireAuth } from './components/RequireAuth.tsx'
import { AppErrorScreen } from './pages/errors/AppErrorScreen.tsx'
import { LastErrorScreen } from './pages/errors/LastErrorScreen.tsx'
import { SectionErrorScreen } from './pages/errors/SectionErrorScreen.tsx'
import { HOME_AFTER_SIGN_IN, PATHS } from './paths.ts'

export function createAppRouter() {
  const screens = {
    element: <AppFrame />,
    errorElement: <AppErrorScreen />,
    children: [
      { path: PATHS.home, element: <HomeRedirect /> },
      {
        path: PATHS.auth,
        element: lazyScreen('AuthPage', async () => (await import('./pages/auth/AuthPage.tsx')).AuthPage),
      },
      {
        path: PATHS.secureSignup,
        element: lazyScreen(
          'SecureSignupPage',
          async () => (await import('./pages/auth/SecureSignupPage.tsx')).SecureSignupPage,
        ),
      },
      {
        path: PATHS.adminAuth,
        element: lazyScreen(
          'AdminAuthPage',
          async () => (await import('./pages/auth/AdminAuthPage.tsx')).AdminAuthPage,
        ),
      },
      {
        element: (
          <RequireAuth>
            {lazyScreen('AppShell', async () => (await import('./components/AppShell.tsx')).AppShell)}
          </RequireAuth>
        ),
        children: [
          {
            // Inside the shell, so that the rest of the app stays usable when one screen fails.
            errorElement: <SectionErrorScreen />,
            children: [
              // The mail that confirms an account leads here (SPEC.md §2).
              { path: PATHS.dashboard, element: <Navigate to={HOME_AFTER_SIGN_IN} replace /> },
              {
                path: PATHS.leads,
                element: lazyScreen(
                  'LeadsPage',
                  async () => (await import('./pages/leads/LeadsPage.tsx')).LeadsPage,
                ),
              },
              {
                path: PATHS.lead,
                element: lazyScreen(
                  'LeadPage',
                  async () => (await import('./pages/leads/LeadPage.tsx')).LeadPage,
                ),
              },
              {
                path: PATHS.clientIntegrations,
                element: lazyScreen(
                  'ClientIntegrationsPage',
                  async () =>
                    (await import('./pages/integrations/ClientIntegrationsPage.tsx')).ClientIntegrationsPage,
                ),
              },
              {
                path: PATHS.settings,
                element: lazyScreen(
                  'SettingsPage',
                  async () => (await import('./pages/settings/SettingsPage.tsx')).SettingsPage,
                ),
              },
              {
                path: PATHS.admin,
                element: lazyScreen(
                  'AdminPage',
                  async () => (await import('./pages/admin/AdminPage.tsx')).AdminPage,
                ),
              },
            ],
          },
        ],
      },
      {
        path: '*',
        element: lazyScreen('NotFound', async () => (await import('./pages/errors/NotFound.tsx')).NotFound),
      },
    ],
  }
  return createBrowserRouter([{ errorElement: <LastErrorScreen />, children: [screens] }])
}
