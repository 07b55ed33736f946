"""The model: client, answers, repair of its JSON, usage."""
