import type { CarrierRejected } from '../../../carriers/contract/errors.js';

/** Certainly nothing was made; the message says why, and what to do. */
export class ReturnNotMade extends Error {
  override readonly name = 'ReturnNotMade';

  constructor(
    message: string,
    readonly because: 'refused' | 'login-refused' | 'no-answer',
  ) {
    super(message);
  }
}

export function refused(carrier: string, account: string, error: CarrierRejected): ReturnNotMade {
  const isLogin = error.because === 'credentials';
  const toDo = isLogin
    ? `Correct the settings of "${account}", and ask for it again.`
    : `Make the return label in the portal of ${carrier}, or ask for it again when the cause is mended.`;
  return new ReturnNotMade(`${carrier} says: "${error.message}". ${toDo}`, isLogin ? 'login-refused' : 'refused');
}

export function returnNotAnswered(carrier: string, because: string): ReturnNotMade {
  return new ReturnNotMade(
    `${carrier} was not asked, or did nothing: ${because}. No return label was made: ask for it again in a minute.`,
    'no-answer',
  );
}
