import { TextInput, type TextInputProps } from './TextInput.tsx'

/** Takes six digits and ignores what is pasted around them. Phones and password managers can fill it in. */
export function CodeInput(props: Omit<TextInputProps, 'type'>) {
  return (
    <TextInput
      {...props}
      mono
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      placeholder="000000"
      className="text-center text-base tracking-[0.5em]"
    />
  )
}
