/** Addresses that no account may have, each for a different reason. */
export const REFUSED_ADDRESSES = {
  'without an @': 'buyer.example.com',
  'without a domain': 'buyer@',
  'without a name': '@example.com',
  'with two @': 'buyer@inner@example.com',
  'with a line break, and a header behind it': 'buyer@example.com\r\nBcc: everybody@example.com',
  'with a second recipient': 'buyer@example.com, other@example.com',
  'with a name in front': 'Buyer <buyer@example.com>',
  'with a look-alike letter': 'b\u0443yer@example.com',
  'with a look-alike domain': 'buyer@ex\u0430mple.com',
  'with a zero-width space': 'buyer\u200b@example.com',
  'with a script in it': 'javascript:alert(1)@example.com',
  'with a NUL': 'buyer\u0000@example.com',
  'longer than 254 characters': `${'b'.repeat(243)}@example.com`,
}
export const REFUSED_PHONES = [
  '12',
  'phone',
  '+1555010000x',
  '+0123456789',
  '+1.555.010.7777',
  `+1${'5'.repeat(20)}`,
]
export const WEAK_PASSWORDS = {
  'of seven characters': 'Qz-8#kL',
  'without an upper-case letter': 'quartz-lantern-58',
  'without a digit': 'Quartz-Lantern',
  'of letters alone': 'QuartzLanternBlue',
  'with a letter three times in a row': 'Quaaartz-Lantern-58',
  'with a known word': 'Qwerty-Lantern-58',
  'of 129 characters': `Qz-8#${'kLmR7_pW'.repeat(16)}`.slice(0, 129),
}
