import clsx from 'clsx'
import { Check, Circle } from 'lucide-react'
import { checkPassword, rateStrength, STRENGTHS } from './password-checks.ts'

export interface PasswordRulesProps {
  password: string
  /** Also shows how hard the password is to guess. */
  strength?: boolean
}

/** Lists the password rules and ticks off each one that is met. */
export function PasswordRules({ password, strength = false }: PasswordRulesProps) {
  return (
    <>
      {strength && password !== '' && <StrengthMeter password={password} />}
      <ul className="flex flex-col gap-1">
        {checkPassword(password).map(({ text, isMet }) => (
          <li key={text} className={clsx('flex items-start gap-1.5', isMet && 'text-success')}>
            {isMet ? (
              <Check aria-hidden className="mt-px size-3.5 shrink-0" />
            ) : (
              <Circle aria-hidden className="mt-px size-3.5 shrink-0 p-0.5" />
            )}
            <span>
              {text}
              <span className="sr-only">{isMet ? ' (met)' : ' (not met yet)'}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const FILLS = ['bg-failure', 'bg-waiting', 'bg-success', 'bg-success']

function StrengthMeter({ password }: { password: string }) {
  const strength = rateStrength(password)
  const level = STRENGTHS.indexOf(strength)
  return (
    <div className="mb-2 flex items-center gap-3">
      <div aria-hidden className="flex flex-1 gap-1">
        {STRENGTHS.map((name, index) => (
          <span
            key={name}
            className={clsx('h-1 flex-1 rounded-sm', index <= level ? FILLS[level] : 'bg-line')}
          />
        ))}
      </div>
      <span role="status" className="w-20 text-right">
        <span className="sr-only">Strength: </span>
        {strength}
      </span>
    </div>
  )
}
