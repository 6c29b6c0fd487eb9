import { useQuery } from '@tanstack/react-query'
import { PERMISSIONS_OF_MEMBER } from '#core/contract/accounts/member-role.ts'
import { teamQuery } from '#web/api/team.ts'
import { namePerson } from './name-person.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'

export interface MemberFieldProps {
  label: string
  /** the person's id; null for everybody */
  value: string | null
  onValueChange: (value: string | null) => void
  hint?: string
  error?: string | undefined
}

const EVERYBODY = 'everybody'

/** Chooses a person of the account, or everybody. Shown only to those who manage people, once there are several. */
export function MemberField({ label, value, onValueChange, hint, error }: MemberFieldProps) {
  const mayManage = useMemberMay('members') === true
  const team = useQuery({ ...teamQuery, enabled: mayManage })
  const people = (team.data?.data ?? []).filter(({ role }) => PERMISSIONS_OF_MEMBER[role].includes('leads'))
  if (people.length < 2 && value === null) return null
  // Their rows stay theirs until somebody changes them.
  const hasLeft = team.isSuccess && value !== null && people.every(({ user_id: id }) => id !== value)
  return (
    <Field label={label} hint={hint} error={error}>
      <Select
        value={value ?? EVERYBODY}
        onValueChange={(next) => onValueChange(next === EVERYBODY ? null : next)}
        options={[
          { value: EVERYBODY, label: 'Everybody' },
          ...people.map((one) => ({ value: one.user_id, label: namePerson(one) })),
          ...(hasLeft ? [{ value, label: 'A person who left' }] : []),
        ]}
      />
    </Field>
  )
}
