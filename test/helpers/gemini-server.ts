/** A stand-in for Gemini's API: POST /v1beta/models/<model>:streamGenerateContent, streamed as documented. */
import { type Answer, ModelServer, piecesOfText } from "./model-server.ts";

export class GeminiServer extends ModelServer {
  protected override errorEvent(error: { type: string; message: string }): string {
    return event({ error: { code: 500, status: error.type, message: error.message } });
  }

  protected override events(answer: Answer): string[] {
    const part = (text: string, finishReason?: string) =>
      event({ candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, finishReason }] });
    return [...piecesOfText(answer).map((text) => part(text)), part("", "STOP")];
  }
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
