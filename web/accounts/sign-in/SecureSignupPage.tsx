import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { Link, Navigate } from 'react-router-dom'
import { authSettingsQuery } from '#web/api/auth-settings.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { AuthFrame } from '#web/app/AuthFrame.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import { HOME_AFTER_SIGN_IN, PATHS } from '#web/paths.ts'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'

const PROMISES = [
  'Your password is stored only as a slow hash, which cannot be reversed.',
  'A second factor can be switched on in the settings.',
  'Five failed attempts block sign-in for 15 minutes.',
]

export function SecureSignupPage() {
  const { session } = useAuth()
  const settings = useQuery(authSettingsQuery)
  if (session !== null) return <Navigate to={HOME_AFTER_SIGN_IN} replace />
  return (
    <AuthFrame
      title="Secure sign-up"
      lead="Create an account with a password that is hard to guess."
      footer={
        <Link to={PATHS.auth} className="rounded-sm font-medium text-accent hover:underline">
          I have an account
        </Link>
      }
    >
      {settings.isPending ? <CardSkeleton /> : <SignUpForm strength />}
      <ul className="flex flex-col gap-1.5 text-xs text-muted">
        {PROMISES.map((promise) => (
          <li key={promise} className="flex items-start gap-2">
            <ShieldCheck aria-hidden className="mt-px size-3.5 shrink-0 text-accent" />
            {promise}
          </li>
        ))}
      </ul>
    </AuthFrame>
  )
}
