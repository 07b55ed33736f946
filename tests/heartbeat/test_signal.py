import json

TIP = json.dumps(
    {
        "signals": [{"description": "ENOSPC twice", "priority": "high"}],
        "recommendedAction": {"action": "telegram_tip", "task": "raise the inotify limit", "confidence": 0.8},
    }
)


def test_a_repeated_error_becomes_a_recommended_action(koog, llm):
    llm.says(f"Sure! Here it is:\n```json\n{TIP}\n```")

    code, line = koog("signal", "--session-summary", "ENOSPC, again")

    assert code == 0
    assert line["recommendedAction"]["action"] == "telegram_tip"
    assert line["_meta"]["engine"] == "llm"
