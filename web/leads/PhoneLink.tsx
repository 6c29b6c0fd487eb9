import { formatPhone } from '../format/phone.ts'

export interface PhoneLinkProps {
  phone: string
  /** false: the number alone, because nobody should call a person who revoked consent */
  mayCall: boolean
}

export function PhoneLink({ phone, mayCall }: PhoneLinkProps) {
  if (!mayCall)
    return <span className="whitespace-nowrap tight:whitespace-normal tabular">{formatPhone(phone)}</span>
  return (
    <a
      href={`tel:${phone}`}
      className="-my-1 inline-block rounded-sm py-1 whitespace-nowrap tight:whitespace-normal text-accent tabular hover:underline"
    >
      {formatPhone(phone)}
    </a>
  )
}
