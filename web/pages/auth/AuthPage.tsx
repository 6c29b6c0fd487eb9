import { Navigate, useSearchParams } from 'react-router-dom'
import { useAuth } from '../../auth/auth-context.ts'
import { friendlyAuthMessage } from '../../auth/friendly-message.ts'
import { Logo } from '../../components/Logo.tsx'
import { returnPath } from '../../paths.ts'
import { Banner } from '../../ui/Banner.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { SignInForm } from '../../forms/SignInForm.tsx'
import { SignUpForm } from '../../forms/SignUpForm.tsx'

const MODES = [
  { value: 'sign-in', label: 'Sign in' },
  { value: 'sign-up', label: 'Sign up' },
] as const
type Mode = (typeof MODES)[number]['value']

export function AuthPage() {
  const { session, linkError } = useAuth()
  const [search, setSearch] = useSearchParams()
  const mode: Mode = search.get('mode') === 'sign-up' ? 'sign-up' : 'sign-in'

  if (session !== null) return <Navigate to={returnPath(search, location.origin)} replace />

  const changeMode = (next: Mode) => {
    setSearch(
      (current) => {
        if (next === 'sign-up') current.set('mode', next)
        else current.delete('mode')
        return current
      },
      { replace: true },
    )
  }

  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[12dvh] pb-16">
      <title>{mode === 'sign-in' ? 'Sign in · Leadwire' : 'Sign up · Leadwire'}</title>
      <div className="w-full max-w-sm">
        <Logo />
        <h1 className="mt-8 mb-4 text-lg font-semibold tracking-tight">
          {mode === 'sign-in' ? 'Sign in to your leads' : 'Create your account'}
        </h1>
        {linkError !== null && (
          <div className="mb-4">
            <Banner tone="failure" urgent>
              {friendlyAuthMessage(linkError)}
            </Banner>
          </div>
        )}
        <Tabs label="Sign in or sign up" value={mode} onValueChange={changeMode} tabs={MODES}>
          <TabPanel value="sign-in">
            <SignInForm />
          </TabPanel>
          <TabPanel value="sign-up">
            <SignUpForm />
          </TabPanel>
        </Tabs>
      </div>
    </main>
  )
}
