import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom'
import { authSettingsQuery } from '#web/api/auth-settings.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { AuthFrame } from '#web/app/AuthFrame.tsx'
import { LinkNotice } from '#web/app/LinkNotice.tsx'
import { EmailCodeForm, ForgotPasswordForm, HalfSignedIn, SignUpForm, useLaterForms } from './later-forms.ts'
import { ProviderButtons } from './ProviderButtons.tsx'
import { SignInForm } from './SignInForm.tsx'
import { authModePath, PATHS, returnPath, type AuthMode } from '#web/paths.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'

const TABS = [
  { value: 'sign-in', label: 'Sign in' },
  { value: 'sign-up', label: 'Sign up' },
] as const
const TITLES: Record<AuthMode, string> = {
  'sign-in': 'Sign in to your leads',
  'sign-up': 'Create your account',
  code: 'Sign in by mail',
  forgot: 'Forgot your password?',
}
const LINK = 'rounded-sm font-medium text-accent hover:underline'

export function AuthPage() {
  const { session, loading, mfaRequired, passwordReason, endReason } = useAuth()
  const [search, setSearch] = useSearchParams()
  const { pathname, search: comeBack } = useLocation()
  const [email, setEmail] = useState('')
  const settings = useQuery(authSettingsQuery)
  const mode = readMode(search.get('mode'))
  useLaterForms()

  if (session !== null) {
    if (mfaRequired || passwordReason !== null)
      return (
        <Suspense
          fallback={
            <AuthFrame title={TITLES[mode]}>
              <CardSkeleton />
            </AuthFrame>
          }
        >
          <HalfSignedIn />
        </Suspense>
      )
    return <Navigate to={returnPath(search, location.origin)} replace />
  }
  // A mail's link may have led here, and nobody should type a password while it is read. Waiting for the
  // settings keeps the form from jumping.
  if (loading || settings.isPending)
    return (
      <AuthFrame title={TITLES[mode]}>
        <CardSkeleton />
      </AuthFrame>
    )

  const changeMode = (next: AuthMode) => setSearch(authModePath(search, next), { replace: true })
  const link = (next: AuthMode, text: string) => (
    // Without a key React would reuse one link for the next and leave the focus on it.
    <Link key={next} to={{ search: authModePath(search, next).toString() }} replace className={LINK}>
      {text}
    </Link>
  )
  const isByPassword = mode === 'sign-in' || mode === 'sign-up'
  const footer = isByPassword ? (
    <>
      {link('code', 'Sign in by mail')}
      {mode === 'sign-in' && link('forgot', 'Forgot your password?')}
      {mode === 'sign-up' && (
        <Link to={PATHS.secureSignup} className={LINK}>
          Secure sign-up
        </Link>
      )}
    </>
  ) : (
    link('sign-in', 'Sign in with a password')
  )

  return (
    <AuthFrame title={TITLES[mode]} footer={footer}>
      {endReason !== null && <Banner tone="waiting">{endReason}</Banner>}
      <LinkNotice nextStep="Ask for a new one below." />
      {isByPassword ? (
        <Tabs label="Sign in or sign up" value={mode} onValueChange={changeMode} tabs={TABS}>
          <TabPanel value="sign-in">
            <SignInForm email={email} onEmail={setEmail} />
          </TabPanel>
          <TabPanel value="sign-up">
            <Suspense fallback={<CardSkeleton />}>
              <SignUpForm email={email} onEmail={setEmail} />
            </Suspense>
          </TabPanel>
        </Tabs>
      ) : (
        <Suspense fallback={<CardSkeleton />}>
          {mode === 'code' ? (
            <EmailCodeForm
              email={email}
              onEmail={setEmail}
              redirectPath={returnPath(search, location.origin)}
            />
          ) : (
            <ForgotPasswordForm email={email} onEmail={setEmail} />
          )}
        </Suspense>
      )}
      {mode !== 'forgot' && <ProviderButtons settings={settings.data} path={pathname + comeBack} />}
    </AuthFrame>
  )
}

function readMode(given: string | null): AuthMode {
  return given !== null && Object.hasOwn(TITLES, given) ? (given as AuthMode) : 'sign-in'
}
